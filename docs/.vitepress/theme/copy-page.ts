import { useData, withBase } from 'vitepress'
import { defineComponent, h, ref } from 'vue'

const TEXTS = {
  en: { copy: 'Copy page', copied: 'Copied', failed: 'Copy failed', view: 'View as Markdown' },
  zh: { copy: '复制本页', copied: '已复制', failed: '复制失败', view: '查看 Markdown' },
} as const

const CONFIRMATION_MS = 2000

/** Copies the page as Markdown, for language models and notes. */
export const CopyPage = defineComponent(() => {
  const { page, lang } = useData()
  const state = ref<'copy' | 'copied' | 'failed'>('copy')

  async function copy(address: string): Promise<void> {
    try {
      const response = await fetch(address)
      if (!response.ok) throw new Error(`${address}: ${response.status}`)
      await navigator.clipboard.writeText(await response.text())
      state.value = 'copied'
    } catch {
      state.value = 'failed'
    }
    setTimeout(() => (state.value = 'copy'), CONFIRMATION_MS)
  }

  return () => {
    const address = withBase(`/${page.value.relativePath}`)
    const texts = lang.value.startsWith('zh') ? TEXTS.zh : TEXTS.en
    return h('div', { class: 'copy-page' }, [
      h('button', { type: 'button', onClick: () => copy(address) }, [
        h('span', { role: 'status' }, texts[state.value]),
      ]),
      h('a', { href: address, target: '_blank', rel: 'noreferrer' }, texts.view),
    ])
  }
})
