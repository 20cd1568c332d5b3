export interface SettingsTables {
  settings: { name: string; value: string };
}
