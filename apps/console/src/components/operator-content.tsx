import type { TrustedPage } from '@tidegate/contract/api'
import { useStatus } from '../api/status.ts'
import { formatOf } from '../ui/content/format-of.ts'
import { LinkFrame } from '../ui/content/link-frame.tsx'
import { pageAddress } from '../ui/content/page-address.ts'
import { RichContent } from '../ui/content/rich-content.tsx'
import { TrustedFrame } from './trusted-frame.tsx'

interface Props {
  /** Markdown, HTML, or the address of a page. */
  text: string
  /** What the frame is called, for people who cannot see it. */
  title: string
  page: TrustedPage
  /** The shape of the frame around a page of the web. */
  frameClass?: string | undefined
}

/** What the operator wrote: cleaned, or in a frame that keeps it away from the console. */
export function OperatorContent({ text, title, page, frameClass }: Props) {
  const { trusted_html_enabled: isTrusted } = useStatus()
  const address = pageAddress(text)
  if (address) return <LinkFrame key={address.href} address={address} title={title} className={frameClass} />
  const format = formatOf(text)
  if (isTrusted && format === 'html') return <TrustedFrame page={page} title={title} />
  return <RichContent text={text} format={format} />
}
