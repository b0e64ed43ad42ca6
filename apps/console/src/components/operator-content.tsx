import type { TrustedPage } from '@tidegate/contract/api'
import { useStatus } from '../api/status.ts'
import { formatOf } from '../ui/content/format-of.ts'
import { LinkFrame } from '../ui/content/link-frame.tsx'
import { pageAddress } from '../ui/content/page-address.ts'
import { RichContent } from '../ui/content/rich-content.tsx'
import { TrustedFrame } from './trusted-frame.tsx'

interface Props {
  /** Markdown, HTML, or the URL of a page. */
  text: string
  /** Accessible name of the frame. */
  title: string
  page: TrustedPage
  /** CSS class of the frame of an external page. */
  frameClass?: string | undefined
}

/** Content of the operator: sanitised, or isolated in a frame. */
export function OperatorContent({ text, title, page, frameClass }: Props) {
  const { trusted_html_enabled: isTrusted } = useStatus()
  const address = pageAddress(text)
  if (address) return <LinkFrame key={address.href} address={address} title={title} className={frameClass} />
  const format = formatOf(text)
  if (isTrusted && format === 'html') return <TrustedFrame page={page} title={title} />
  return <RichContent text={text} format={format} />
}
