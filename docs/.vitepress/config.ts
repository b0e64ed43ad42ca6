import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type DefaultTheme, defineConfig, type MarkdownEnv, type MarkdownOptions } from 'vitepress'
import { slugOf } from '../../scripts/docs/read-document.ts'
import { CONTENTS, NAVIGATION, type Section } from './contents.ts'
import { leadsOutside, picturePath, siteLink } from './links.ts'
import { isSearched, separateWords } from './search-text.ts'

type MarkdownRenderer = Parameters<NonNullable<MarkdownOptions['config']>>[0]
type Language = 'en' | 'zh'

const DOCS = join(import.meta.dirname, '..')
const exists = (page: string) => existsSync(join(DOCS, page))

/** The documentation site, which a server serves at `/docs`. It loads nothing from other hosts. */
export default defineConfig({
  title: 'Tidegate',
  base: '/docs/',
  cleanUrls: true,
  cacheDir: '../.cache/docs-site',
  // Without inline metadata, all pages share the same inline scripts, which the content security policy allows by hash.
  metaChunk: true,
  // Keep small images as files.
  vite: { build: { assetsInlineLimit: 0 } },
  head: [['link', { rel: 'icon', href: '/docs/mark.svg', type: 'image/svg+xml' }]],
  markdown: {
    config: leadLinksToPages,
    // No page uses attributes, and looking for them takes a seventh of the build.
    attrs: { disable: true },
    // The same anchors as GitHub, so that links to headings work in both places.
    anchor: { slugify: slugOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
  },
  locales: {
    root: {
      label: 'English',
      lang: 'en',
      description: 'An AI model API gateway with exact billing',
      themeConfig: { nav: navigation('en'), sidebar: sidebar('en') },
    },
    zh: {
      label: '简体中文',
      lang: 'zh-CN',
      description: '计费精确的 AI 模型 API 网关',
      themeConfig: { nav: navigation('zh'), sidebar: sidebar('zh'), ...chineseWords() },
    },
  },
  themeConfig: {
    logo: '/mark.svg',
    outline: { level: [2, 3] },
    search: { provider: 'local', options: { _render: searchText, locales: { zh: { translations: chineseSearch() } } } },
  },
})

function navigation(language: Language): DefaultTheme.NavItem[] {
  return NAVIGATION.map(({ path, ...words }) => ({ text: words[language], link: rootOf(language) + path }))
}

function sidebar(language: Language): DefaultTheme.SidebarItem[] {
  return CONTENTS.map((section) => ({ text: section[language], items: itemsOf(section, language) }))
}

function itemsOf({ entries }: Section, language: Language): DefaultTheme.SidebarItem[] {
  return entries
    .filter(({ path, unlisted }) => exists(`${path}.md`) && !unlisted)
    .map((entry) => ({ text: entry[language], link: rootOf(language) + entry.path }))
}

function rootOf(language: Language): string {
  return language === 'en' ? '/' : '/zh/'
}

/** Replaces links to Markdown files, which work in editors and on GitHub, by links to pages of the site. */
function leadLinksToPages(md: MarkdownRenderer): void {
  md.core.ruler.push('lead-links-to-pages', (state) => {
    const { relativePath: page, frontmatter } = state.env as { relativePath: string; frontmatter?: { source?: string } }
    const place = { page, source: frontmatter?.source, exists }
    for (const token of state.tokens.flatMap(({ children }) => children ?? [])) {
      const name = token.type === 'link_open' ? 'href' : token.type === 'image' ? 'src' : undefined
      const target = name === undefined ? '' : (token.attrGet(name) ?? '')
      if (name === undefined || leadsOutside(target)) continue
      const found = name === 'href' ? siteLink(target, place) : picturePath(target, place)
      if (found !== undefined) token.attrSet(name, found)
    }
  })
}

function searchText(source: string, env: MarkdownEnv, md: Pick<MarkdownRenderer, 'render'>): string {
  if (!isSearched(env.relativePath)) return ''
  const html = md.render(source, env)
  return env.relativePath.startsWith('zh/') ? separateWords(html) : html
}

function chineseWords(): DefaultTheme.Config {
  return {
    outline: { level: [2, 3], label: '本页目录' },
    docFooter: { prev: '上一页', next: '下一页' },
    darkModeSwitchLabel: '外观',
    lightModeSwitchTitle: '切换到浅色',
    darkModeSwitchTitle: '切换到深色',
    sidebarMenuLabel: '目录',
    returnToTopLabel: '回到顶部',
    langMenuLabel: '语言',
    skipToContentLabel: '跳到正文',
    notFound: { title: '没有这一页', quote: '链接可能已经失效。', linkText: '回到首页', linkLabel: '回到首页' },
  }
}

function chineseSearch(): DefaultTheme.LocalSearchOptions['translations'] {
  return {
    button: { buttonText: '搜索', buttonAriaLabel: '搜索' },
    modal: {
      displayDetails: '显示详情',
      resetButtonTitle: '清空',
      backButtonTitle: '关闭',
      noResultsText: '没有找到',
      footer: { selectText: '打开', navigateText: '移动', closeText: '关闭' },
    },
  }
}
