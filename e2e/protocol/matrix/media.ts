import type { Media } from './conversation.ts'

/** One blue pixel. */
export const PNG: Media = {
  mediaType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg==',
}

/** An empty page. */
export const PDF: Media & { readonly name: string } = {
  name: 'tide-table.pdf',
  mediaType: 'application/pdf',
  data: Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
  ).toString('base64'),
}
