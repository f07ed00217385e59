// Local storage that ignores failures: private windows and blocked storage are no error.

/** @param {string} key */
export function recall(key) {
  try {
    return localStorage.getItem(`gridpaper.${key}`);
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {string} value
 */
export function remember(key, value) {
  try {
    localStorage.setItem(`gridpaper.${key}`, value);
  } catch {
    // Not remembered, then.
  }
}
