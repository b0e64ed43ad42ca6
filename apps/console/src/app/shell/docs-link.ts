/**
 * Where the operator's documentation is: a web address, or a path of this site such as `/docs`. The server takes no
 * others; blank for anything else, for the text may be older than its checks.
 */
export function docsLink(written: string): string {
  return /^https?:\/\/\S+$/i.test(written) || SITE_PATH.test(written) ? written : ''
}

/** `//host` and `/\host` would leave the site, as would `/` and a tab before them, which browsers drop. */
const SITE_PATH = /^\/(?![/\\])\S*$/
