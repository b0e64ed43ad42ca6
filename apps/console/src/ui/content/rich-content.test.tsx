import { act, render, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { App } from '../kit/index.ts'
import { RichContent } from './rich-content.tsx'

const show = (props: Parameters<typeof RichContent>[0]) => {
  const element = (changed: Parameters<typeof RichContent>[0]) => (
    <App>
      <RichContent {...changed} />
    </App>
  )
  const view = render(element(props))
  return { ...view, change: (changed: Partial<typeof props>) => view.rerender(element({ ...props, ...changed })) }
}

describe('Markdown', () => {
  it('renders headings, tables, tasks and links that open in new tabs', async () => {
    const text = '# Tides\n\n| a | b |\n|--|:-:|\n| 1 | 2 |\n\n- [x] done\n- [ ] open\n\n[more](https://tide.example)'

    const { container } = show({ text, format: 'markdown' })

    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Tides')
    expect(screen.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['1', '2'])
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['☑ done', '☐ open'])
    const link = screen.getByRole('link', { name: 'more' })
    expect(link.getAttribute('rel')).toBe('noopener noreferrer nofollow')
    expect(link.getAttribute('target')).toBe('_blank')
    expect(container.querySelector('input')).toBeNull()
  })

  it('sanitises HTML or shows it as text', async () => {
    const text = 'a <b onclick="alert(1)">bold</b> <script>alert(2)</script>'

    const { container, change } = show({ text, format: 'markdown' })
    await waitFor(() => expect(container.querySelector('b')?.outerHTML).toBe('<b>bold</b>'))
    expect(container.querySelector('script')).toBeNull()

    change({ showsHtml: true })
    await waitFor(() => expect(container.textContent).toContain(text))
  })

  it('highlights code, shows its language and copies it', async () => {
    const { container } = show({ text: '```ts\nconst a = "<b>"\n```\n', format: 'markdown' })

    await waitFor(() => expect(container.querySelector('[data-token=keyword]')?.textContent).toBe('const'))
    expect(container.querySelector('pre')?.textContent).toBe('const a = "<b>"')
    expect(container.querySelector('figcaption')?.textContent).toBe('ts')
    expect(screen.getByRole('button', { name: '复制代码' })).toBeDefined()
  })

  it('renders formulas, but not amounts of money', async () => {
    const text = 'From $5 to $10, and $a_b<c$.\n\n$$\n\\sqrt{2}\n$$\n\n\\(x\\) costs \\$3'

    const { container } = show({ text, format: 'markdown' })

    await waitFor(() => expect(container.querySelectorAll('.katex')).toHaveLength(3))
    const sources = [...container.querySelectorAll('annotation')].map(({ textContent }) => textContent)
    expect(sources).toEqual(['a_b<c', '\\sqrt{2}', 'x'])
    expect(container.textContent).toContain('From $5 to $10, and')
    expect(container.textContent).toContain('costs $3')
  })

  it('shows the source of an invalid formula', async () => {
    const { container } = show({ text: '$\\frac{1$', format: 'markdown' })

    await waitFor(() => expect(container.querySelector('code')?.textContent).toBe('\\frac{1'))
  })

  it('hides incomplete markup while streaming and keeps rendered elements', async () => {
    const { container, change } = show({ text: '# Tides\n\nHigh', format: 'markdown', isStreaming: true })
    const heading = await screen.findByRole('heading', { name: 'Tides' })

    change({ text: '# Tides\n\nHigh **wat' })
    await waitFor(() => expect(container.textContent).toMatch(/High\s*$/))
    change({ text: '# Tides\n\nHigh **water** is\n\n$$\n\\frac{1' })
    await waitFor(() => expect(container.querySelector('strong')?.textContent).toBe('water'))

    expect(container.textContent).toContain('\\frac{1')
    expect(container.textContent).not.toContain('$$')
    expect(screen.getByRole('heading', { name: 'Tides' })).toBe(heading)
    await act(async () => change({ text: '# Tides\n\nHigh **water** is at [six', isStreaming: false }))
    await waitFor(() => expect(container.textContent).toContain('[six'))
  })
})

describe('HTML', () => {
  it('is sanitised, and scroll areas are reachable by keyboard', async () => {
    const text = '<table><tr><td>1</td></tr></table><pre>code</pre><img src=x: onerror=alert(1)>'

    const { container } = show({ text, format: 'html' })

    const table = await screen.findByRole('table')
    expect(table.parentElement!.tabIndex).toBe(0)
    expect(container.querySelector('pre')!.tabIndex).toBe(0)
    expect(container.querySelector('img')).toBeNull()
  })
})

it('shows plain text unchanged', () => {
  const { container } = show({ text: '<b>a</b>\n  # b', format: 'text' })

  expect(container.textContent).toBe('<b>a</b>\n  # b')
  expect(container.querySelector('b')).toBeNull()
})
