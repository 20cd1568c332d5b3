import { PortalError } from '../../errors.ts';
import { type Caller, sessionOf } from '../../operations/caller.ts';
import type { PortalAnswer } from '../portal-answer.ts';

const states = { running: 'Running', ready: 'Ready', failed: 'Failed' } as const;
const reasons = { stopped: 'Stopped', rows: 'Rows', bytes: 'Bytes', refused: 'Refused', cloud: 'Cloud' } as const;

/** The account, and how it acts. Throws SESSION_ENDED. */
function ownerOf(caller: Caller): string {
  sessionOf({ caller });
  return caller.principal.facts.identity;
}

/** Lists the export files (tables made in the background) of the caller, the newest first. */
export const listExports: PortalAnswer = async ({ caller, services }) => {
  const files = await services.exportFiles.list(ownerOf(caller));
  const Items = files.map(file => ({
    Id: file.id,
    Title: file.title,
    Format: file.format,
    State: states[file.state],
    Reason: file.reason && reasons[file.reason],
    Rows: file.rows,
    Total: file.total,
    Bytes: file.bytes,
    Started: file.started_at.toISOString(),
    Expires: file.expires_at.toISOString(),
  }));
  return { Items };
};

/** Reads the oldest of the caller's export files that ended without the caller's knowing it; `{}` when there is none. */
export const exportNews: PortalAnswer = async ({ caller, services }) => {
  const file = await services.exportFiles.findUntold(ownerOf(caller));
  return file ? { Id: file.id, Title: file.title, State: states[file.state] } : {};
};

/** Notes that the caller knows how one of the export files ended. */
export const noteExportTold: PortalAnswer = ({ caller, parameters, session, services }) =>
  services.exportFiles.noteTold(ownerOf(caller), String(parameters.exportId), session.key);

/** Deletes one of the caller's export files, also while it is being made. Throws NOT_FOUND. */
export const removeExport: PortalAnswer = async ({ caller, parameters, services }) => {
  if (!(await services.exportFiles.drop(ownerOf(caller), String(parameters.exportId))))
    throw new PortalError('NOT_FOUND');
};
