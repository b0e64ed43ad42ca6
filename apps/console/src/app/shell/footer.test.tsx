import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { newQueryClient } from '../../api/query-client.ts'
import { statusQuery } from '../../api/status.ts'
import { stored } from '../../lib/stored.ts'
import { aStatus } from '../../../test/samples.ts'
import { Providers } from '../providers.tsx'
import { Footer } from './footer.tsx'

afterEach(() => vi.useRealTimers())

function renderFooter(footer: string) {
  const client = newQueryClient()
  client.setQueryData(statusQuery.queryKey, aStatus({ footer_html: footer }))
  return render(
    <Providers client={client}>
      <Footer onOpenAnnouncement={undefined} />
    </Providers>,
  )
}

it('shows the sanitised HTML of the operator and the product name', async () => {
  const { container } = renderFooter('<b>ICP 42</b><img src=x: onerror="alert(1)">')

  expect((await screen.findByText('ICP 42')).tagName).toBe('B')
  expect(container.querySelector('img')).toBeNull()
  expect(screen.getByText('由 Tidegate 驱动')).toBeTruthy()
})

it('reads the stored footer five times, every 200 ms', async () => {
  vi.useFakeTimers()
  const reads = vi.spyOn(stored.footerHtml, 'get').mockReturnValue('<i>late</i>')
  renderFooter('')

  act(() => void vi.advanceTimersByTime(199))
  expect(reads).toHaveBeenCalledTimes(0)
  act(() => void vi.advanceTimersByTime(1))
  expect(reads).toHaveBeenCalledTimes(1)
  act(() => void vi.advanceTimersByTime(5000))
  expect(reads).toHaveBeenCalledTimes(5)
  vi.useRealTimers()
  expect(await screen.findByText('late')).toBeTruthy()
})
