import { isWebPage } from '../../components/chat-links.ts'

/**
 * Pages of the web are shown in a frame. Links of apps are for the person to follow, and so is a page without TLS where
 * this one has it: browsers refuse to mix them. Null for an address that leads nowhere.
 */
export function wayToOpen(address: string, here: Pick<Location, 'protocol'>): 'frame' | 'link' | null {
  if (!isWebPage(address)) return 'link'
  if (!URL.canParse(address)) return null
  const isMixed = here.protocol === 'https:' && new URL(address).protocol === 'http:'
  return isMixed ? 'link' : 'frame'
}
