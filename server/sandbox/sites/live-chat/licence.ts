/** The licence with which the sandbox's portal opens its own chat. */
export const sandboxLicence = '1000001';
