import type { MediaSource } from '../../canonical/index.ts'

/** Answers of this dialect hold no images, so one is shown the way most clients can draw it. */
export function markdownImage(source: Exclude<MediaSource, { readonly kind: 'file' }>): string {
  return `![image](${source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`})`
}
