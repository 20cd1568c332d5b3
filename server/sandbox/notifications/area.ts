import type { Area } from '../area.ts';
import { addAnnouncementRoutes } from './announcement-routes.ts';
import { createDigests, rememberPortal } from './digest.ts';
import { addDropZoneRoutes } from './drop-zone-routes.ts';
import { messages } from './migrations/004-messages.ts';
import { notificationSubjects } from './migrations/045-notification-subjects.ts';
import { productAnnouncements } from './migrations/046-product-announcements.ts';
import { notificationWays } from './migrations/171-notification-ways.ts';
import { stoppedMails } from './migrations/185-stopped-mails.ts';
import { announcementEnds } from './migrations/197-announcement-ends.ts';
import { announcementRights } from './migrations/201-announcement-rights.ts';
import { addNegotiateRoute } from './negotiate-routes.ts';
import { addPreferenceRoutes } from './preference-routes.ts';
import { notifications } from './resource.ts';
import { addNotificationRoutes } from './routes.ts';
import { insertProductAnnouncements } from './seed.ts';
import { addStopRoutes } from './stop-routes.ts';
import './tables.ts';

/** The area of notifications, with the hub that hints at them. */
export const notificationsArea: Area = {
  name: 'notifications',
  migrations: {
    '004-messages': messages,
    '045-notification-subjects': notificationSubjects,
    '046-product-announcements': productAnnouncements,
    '171-notification-ways': notificationWays,
    '185-stopped-mails': stoppedMails,
    '197-announcement-ends': announcementEnds,
    '201-announcement-rights': announcementRights,
  },
  seed: [{ name: 'product announcements', insert: insertProductAnnouncements }],
  openRoutes: [addStopRoutes],
  routes: [addNotificationRoutes, addAnnouncementRoutes, addDropZoneRoutes, addNegotiateRoute, addPreferenceRoutes],
  resources: [notifications],
  start: (db, { portalUrl }) => rememberPortal(db, portalUrl),
  tick: createDigests,
};
