import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { OptionalInteger } from '../../values.ts'

/** Markdown, HTML, or the `https://` URL of a page; blank if not set. */
const Content = z.string()

export const getNotice = endpoint({
  method: 'GET',
  path: '/api/notice',
  access: 'public',
  summary: 'Returns the announcement of the site.',
  reply: Content,
  errors: [],
})

export const getAbout = endpoint({
  method: 'GET',
  path: '/api/about',
  access: 'public',
  summary: 'Returns the content of the about page.',
  reply: Content,
  errors: [],
})

export const getHomePageContent = endpoint({
  method: 'GET',
  path: '/api/home_page_content',
  access: 'public',
  summary: 'Returns the content that replaces the landing page.',
  reply: Content,
  errors: [],
})

/** `refused`: the chat does not allow it. `unreachable`: it does not respond to this server. */
export const ChatEmbedding = z.enum(['allowed', 'refused', 'unreachable', 'unknown'])
export type ChatEmbedding = z.output<typeof ChatEmbedding>

export const getChatEmbedding = endpoint({
  method: 'GET',
  path: '/api/chat_embedding',
  access: 'user',
  summary: 'Returns whether the console can show a saved chat, by its position from 0.',
  query: z.object({ index: OptionalInteger }).partial(),
  reply: ChatEmbedding,
  errors: [],
})

/** Texts of the operator whose scripts run in a separate frame, while the site trusts them. */
export const TRUSTED_PAGES = ['home', 'about', 'notice', 'footer'] as const
export type TrustedPage = (typeof TRUSTED_PAGES)[number]
