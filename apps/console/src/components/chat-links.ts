export interface ChatLink {
  name: string
  address: string
}

interface Filling {
  /** The whole key, with its prefix. */
  key: string
  /** Where this site is reached. */
  address: string
}

/** The saved chats with a key filled in; what is no link, or would run what it is given, is passed over. */
export function chatLinks(chats: readonly Record<string, string>[], filling: Filling): ChatLink[] {
  return chats.flatMap((chat) => chatLink(chat, filling) ?? [])
}

/** One saved chat with a key filled in; null for what is no link, or would run what it is given. */
export function chatLink(chat: Record<string, string> | undefined, { key, address }: Filling): ChatLink | null {
  const [name, template] = Object.entries(chat ?? {})[0] ?? []
  if (!name || !template || !isOpenable(template)) return null
  const filled = template.replaceAll('{address}', () => encodeURIComponent(address)).replaceAll('{key}', () => key)
  return { name, address: filled }
}

/** Anything else is a link of an app, which a tab of its own would only leave blank. */
export const isWebPage = (address: string): boolean => /^https?:/i.test(address)

/** For links that leave the console; the page they lead to learns nothing of this one. */
export const NEW_TAB = { target: '_blank', rel: 'noopener noreferrer' } as const

const isOpenable = (template: string) =>
  /^[a-z][a-z0-9+.-]*:/i.test(template) && !/^(javascript|data|vbscript|blob|file):/i.test(template)
