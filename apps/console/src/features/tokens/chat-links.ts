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
export function chatLinks(chats: readonly Record<string, string>[], { key, address }: Filling): ChatLink[] {
  return chats.flatMap((chat) => {
    const [name, template] = Object.entries(chat)[0] ?? []
    if (!name || !template || !isOpenable(template)) return []
    const filled = template.replaceAll('{address}', () => encodeURIComponent(address)).replaceAll('{key}', () => key)
    return [{ name, address: filled }]
  })
}

const isOpenable = (template: string) =>
  /^[a-z][a-z0-9+.-]*:/i.test(template) && !/^(javascript|data|vbscript|blob|file):/i.test(template)
