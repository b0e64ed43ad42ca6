import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'

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

/** Texts of the operator whose scripts run in a separate frame, while the site trusts them. */
export const TRUSTED_PAGES = ['home', 'about', 'notice', 'footer'] as const
export type TrustedPage = (typeof TRUSTED_PAGES)[number]
