import { type FolderLock, FolderLockError, lockFolder } from '../database/folder-lock.ts';

/** Somebody else uses the folder, or it cannot be written; the message is fit to be the only line printed. */
export class LockError extends Error {}

/** Locks the data folder for this process. Throws LockError when another process has it. */
export async function takeLock(folder: string): Promise<FolderLock> {
  try {
    return await lockFolder(folder, 'portal');
  } catch (error) {
    if (!(error instanceof FolderLockError)) throw error;
    throw new LockError(
      error.owner === undefined
        ? `DATA_DIR ${folder} cannot be written (${error.code}).`
        : `DATA_DIR ${folder} is in use by another portal process (${error.file}).`,
    );
  }
}
