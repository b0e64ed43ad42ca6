export interface ChatLink {
  name: string
  address: string
}

interface LinkValues {
  /** The full API token, with its prefix. */
  key: string
  /** The URL of this site. */
  address: string
}

/** Links to the saved chats with an API token. Skips invalid links and links that run scripts. */
export function chatLinks(chats: readonly Record<string, string>[], values: LinkValues): ChatLink[] {
  return chats.flatMap((chat) => chatLink(chat, values) ?? [])
}

/** The link to a saved chat with an API token. Null if the link is invalid or runs scripts. */
export function chatLink(chat: Record<string, string> | undefined, { key, address }: LinkValues): ChatLink | null {
  const [name, template] = Object.entries(chat ?? {})[0] ?? []
  if (!name || !template || !isSafe(template)) return null
  const filled = template.replaceAll('{address}', () => encodeURIComponent(address)).replaceAll('{key}', () => key)
  return { name, address: filled }
}

/** Other links open an app. In a new tab they would leave a blank page. */
export const isWebPage = (address: string): boolean => /^https?:/i.test(address)

/** For external links. The opened page gets no reference to this one. */
export const NEW_TAB = { target: '_blank', rel: 'noopener noreferrer' } as const

const isSafe = (template: string) =>
  /^[a-z][a-z0-9+.-]*:/i.test(template) && !/^(javascript|data|vbscript|blob|file):/i.test(template)
