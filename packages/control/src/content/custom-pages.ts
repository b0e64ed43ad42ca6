import { api, type Settings } from '@tidegate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { applyEtag } from '../http/etag.ts'

/**
 * The operator's texts with everything that is in them, for a frame of the console. A page of its own and not part of
 * the console's: that forbids inline scripts, also to what it has inside. The `sandbox` gives it an origin that is
 * nobody's, so whatever runs there reaches neither the session nor the screen around it, even when opened by itself.
 */
const POLICY = [
  'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox',
  "default-src https: data: blob: 'unsafe-inline'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "object-src 'none'",
].join('; ')

const CONTENT: Record<api.TrustedPage, (settings: Settings) => string> = {
  home: ({ HomePageContent }) => HomePageContent,
  about: ({ About }) => About,
  notice: ({ Notice }) => Notice,
  footer: ({ Footer }) => Footer,
}

export function registerTrustedPages(app: FastifyInstance, { catalog }: Pick<Deps, 'catalog'>): void {
  for (const page of api.TRUSTED_PAGES) {
    app.get(`/custom/pages/${page}`, { config: { unmetered: true } }, (request, reply) => {
      const { settings } = catalog()
      if (!settings['content.trusted_html_enabled']) return reply.code(404).send()
      const content = CONTENT[page](settings)
      void reply.header('Content-Security-Policy', POLICY)
      return sendText(request, reply, 'text/html', content.trim() === '' ? '' : wholePage(content))
    })
  }
}

/** Follows the theme and language that the console puts into the address, and tells it how tall the page is. */
const FRAME_SCRIPT = `(() => {
  const root = document.documentElement
  const follow = () => {
    const wish = new URLSearchParams(location.hash.slice(1))
    root.dataset.theme = root.style.colorScheme = wish.get('theme') === 'dark' ? 'dark' : 'light'
    root.lang = wish.get('lang') || 'en'
  }
  follow()
  addEventListener('hashchange', follow)
  const tell = () => parent.postMessage({ height: Math.ceil(root.getBoundingClientRect().height) }, location.origin)
  new ResizeObserver(tell).observe(root)
})()`

const wholePage = (content: string) => `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<base target="_blank">
<style>body { margin: 0; font: 14px/1.6 system-ui, sans-serif; overflow-wrap: anywhere }</style>
<script>${FRAME_SCRIPT}</script>
</head>
<body>
${content}
</body>
</html>
`

/** The operator's own style sheet and script, which the console's page refers to while they are set. */
export function registerCustomFiles(app: FastifyInstance, { catalog }: Pick<Deps, 'catalog'>): void {
  const config = { unmetered: true }
  app.get('/custom/global.css', { config }, (request, reply) =>
    sendText(request, reply, 'text/css', catalog().settings.global_css),
  )
  app.get('/custom/global.js', { config }, (request, reply) =>
    sendText(request, reply, 'text/javascript', catalog().settings.global_js),
  )
}

/** A proxy may keep it for a minute; a browser asks each time, so that an operator sees at once what they changed. */
export const SHORT_CACHE = 'public, max-age=0, s-maxage=60'

/** A text that the operator wrote: tagged, cached for a little while, and no content while there is none. */
function sendText(request: FastifyRequest, reply: FastifyReply, type: string, text: string): FastifyReply {
  void reply.header('X-Content-Type-Options', 'nosniff')
  if (text.trim() === '') return reply.header('Cache-Control', SHORT_CACHE).code(204).send()
  applyEtag(request, reply, text, SHORT_CACHE)
  return reply.sent ? reply : reply.type(`${type}; charset=utf-8`).send(text)
}
