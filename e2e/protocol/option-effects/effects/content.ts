import { api } from '@tidegate/contract'
import { type Effect, inStatus, type Rows } from '../effect.ts'
import type { EffectSite } from '../effect-site.ts'
import { newAnonymousClient } from '../anonymous-client.ts'

const TEXT = '# 潮汐\n\n<b>High water</b> at noon.'
const LOGO = 'https://gate.example/mark.svg'
const HEAD = '<meta name="tide" content="high">'
const CSS = 'body { accent-color: teal }'
const SCRIPT = 'console.log("high water")'

const textEffect = (endpoint: typeof api.getNotice): Effect => ({
  value: TEXT,
  probe: (site) => newAnonymousClient(site).call(endpoint),
  before: '',
  after: TEXT,
})

const page = async ({ url }: EffectSite, path: string) => (await fetch(url + path)).text()

/** A custom file of the operator, and that the console page refers to it. */
const customFile = (value: string, path: string): Effect => ({
  value,
  probe: async (site) => [await page(site, path), (await page(site, '/')).includes(path)],
  before: ['', false],
  after: [value, true],
})

export const contentEffects = {
  Notice: textEffect(api.getNotice),
  About: textEffect(api.getAbout),
  HomePageContent: textEffect(api.getHomePageContent),
  Footer: inStatus('footer_html', TEXT, '', TEXT),
  'content.announcement_modal_enabled': inStatus('announcement_modal_enabled', 'true', false, true),
  'content.trusted_html_enabled': {
    given: { About: TEXT },
    value: 'true',
    probe: async (site) => (await page(site, '/custom/pages/about')).includes(TEXT),
    before: false,
    after: true,
  },

  SystemName: inStatus('system_name', 'Harbour', 'Tidegate', 'Harbour'),
  Logo: inStatus('logo', LOGO, '', LOGO),

  custom_head_html: {
    value: HEAD,
    probe: async (site) => (await page(site, '/')).includes(HEAD),
    before: false,
    after: true,
  },
  global_css: customFile(CSS, '/custom/global.css'),
  global_js: customFile(SCRIPT, '/custom/global.js'),
} satisfies Rows
