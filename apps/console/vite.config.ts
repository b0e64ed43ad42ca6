import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { contractInBrowser } from './contract-in-browser.ts'
import { paletteStyles } from './src/lib/theme/palette.ts'

/** What the server answers itself; everything else is the console's own. */
const SERVER_PATHS = ['/api', '/custom', '/v1', '/v1beta', '/pg', '/mj', '/suno', '/healthz', '/readyz']

/** What every screen needs, in one file instead of a dozen; it also changes least often. */
const FRAMEWORK = {
  name: 'framework',
  test: /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack|i18next|react-i18next|i18next-browser-languagedetector|zustand)[\\/]/,
  priority: 2,
}

/** The parts of the kit that most screens share, in one file instead of dozens; the others come with who needs them. */
const KIT = {
  name: 'kit',
  test: /node_modules[\\/](antd|@ant-design|@rc-component|@babel|@emotion|clsx|dayjs|stylis)[\\/]/,
  minShareCount: 45,
  priority: 1,
}

const server = process.env.TIDEGATE_DEV_SERVER ?? 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react(), contractInBrowser(), paletteInPage()],
  server: {
    proxy: Object.fromEntries(SERVER_PATHS.map((path) => [`^${path}(/|$|\\?)`, { target: server, ws: true }])),
  },
  build: {
    target: 'es2022',
    rolldownOptions: {
      // The contract only states shapes: a screen that uses one call need not carry the others.
      treeshake: { moduleSideEffects: [{ test: /packages[\\/]contract[\\/]/, sideEffects: false }] },
      output: { codeSplitting: { groups: [FRAMEWORK, KIT] } },
    },
  },
})

/** Puts the palette into the page itself, so that the first paint already has the right colours. */
function paletteInPage(): Plugin {
  return {
    name: 'palette-in-page',
    transformIndexHtml: () => [{ tag: 'style', children: paletteStyles(), injectTo: 'head' }],
  }
}
