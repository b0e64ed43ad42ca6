import { OPTIONS, type OptionKey } from './registry.ts'

/** Options whose default is a Chinese text, for a site that is set up in another language. */
export function defaultTexts(language: 'zh' | 'en'): [OptionKey, string][] {
  if (language === 'zh') return []
  const { default: chats } = OPTIONS.Chats
  const english = chats.map((chat) =>
    Object.fromEntries(Object.entries(chat).map(([name, link]) => [name === 'AMA 问天' ? 'AMA' : name, link])),
  )
  return [
    ['UserUsableGroups', JSON.stringify({ default: 'Default group', vip: 'VIP group' })],
    ['Chats', JSON.stringify(english)],
  ]
}
