import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { describe, expect, it } from 'vitest'
import { showOnPhone } from '../../../test/phone.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { choiceFilter, defineFilters, rangeFilter, readFilters, textFilter, useFilters } from './define-filters.ts'
import { ActiveFilters, Filters } from './filters.tsx'

const schema = defineFilters({
  keyword: textFilter(),
  kind: choiceFilter(),
  user: choiceFilter((id) => /^\d+$/.test(id)),
})

function Bar() {
  const filters = useFilters(schema)
  const [text, setText] = useState('')
  const fields = {
    keyword: { label: 'Name or ID', chip: 'Keyword' },
    kind: { label: 'Kind', options: [{ label: 'Media', options: [{ value: 'image', label: 'Image' }] }] },
    user: {
      label: 'User',
      search: { text, onSearch: setText, hint: 'Type a name' },
      options: text === '' ? [] : [{ value: '7', label: `${text}a #7` }],
    },
  }
  return <Filters filters={filters} fields={fields} />
}

describe('Filters', () => {
  it('repeats no filter whose control is visible', async () => {
    const { address } = renderScreen(Bar, { at: '/list?keyword=x&kind=image' })

    expect(screen.queryByText('Kind: Image')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: '重置' }))

    await waitFor(() => expect(address()).toBe('/list'))
  })

  it('shows chips with the labels of grouped options while the controls are hidden', () => {
    showOnPhone()
    renderScreen(Bar, { at: '/list?keyword=x&kind=image' })

    expect(screen.getByText('Kind: Image')).toBeTruthy()
    expect(screen.queryByText(/^Keyword: /)).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: /^筛选/ }))

    expect(screen.queryByText('Kind: Image')).toBeNull()
  })

  it('shows the options that a server search returns', async () => {
    const { address } = renderScreen(Bar, { at: '/list' })
    const field = screen.getByRole('combobox', { name: 'User' })
    fireEvent.mouseDown(field)
    expect(await screen.findByText('Type a name')).toBeTruthy()

    fireEvent.change(field, { target: { value: 'mir' } })
    fireEvent.click(await screen.findByTitle('mira #7'))

    await waitFor(() => expect(address()).toBe('/list?user=7'))
  })

  it('ignores an invalid value in the URL', () => {
    expect(readFilters(schema, new URLSearchParams('user=mira')).user).toBe('')
    expect(readFilters(schema, new URLSearchParams('user=7')).user).toBe('7')
  })

  it('hides all filters except the first behind a button on phones', () => {
    showOnPhone()
    renderScreen(Bar, { at: '/list' })
    expect(screen.queryByRole('combobox', { name: 'User' })).toBeNull()

    fireEvent.click(screen.getByRole('button', { name: /^筛选/ }))

    expect(screen.getByRole('combobox', { name: 'User' })).toBeTruthy()
  })

  it('shows no button on phones if there is only one filter', () => {
    showOnPhone()
    renderScreen(SingleFilter, { at: '/list' })

    expect(screen.getByRole('textbox', { name: 'Keyword' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^筛选/ })).toBeNull()
  })

  it('removes one filter or all, and a time range with its start and end', async () => {
    const at = '/list?keyword=x&range=custom&start=1&end=2&page=3'
    const { address, unmount } = renderScreen(RangeChips, { at })
    fireEvent.click(screen.getByRole('button', { name: '移除筛选：Time' }))
    await waitFor(() => expect(address()).toBe('/list?keyword=x'))
    unmount()

    const all = renderScreen(RangeChips, { at })
    fireEvent.click(screen.getByRole('button', { name: '重置' }))

    await waitFor(() => expect(all.address()).toBe('/list'))
  })

  it('changes the URL with the given options', async () => {
    const router = createMemoryRouter([{ path: '*', Component: ReplacingFilter }])
    render(<RouterProvider router={router} />)

    fireEvent.click(screen.getByRole('button'))

    await waitFor(() => expect(router.state.location.search).toBe('?keyword=x'))
    expect(router.state.historyAction).toBe('REPLACE')
  })
})

const single = defineFilters({ keyword: textFilter() })

function SingleFilter() {
  return <Filters filters={useFilters(single)} fields={{ keyword: { label: 'Keyword' } }} />
}

const withRange = defineFilters({ keyword: textFilter(), range: rangeFilter('week') })

function RangeChips() {
  const fields = { keyword: { label: 'Keyword' }, range: { label: 'Time' } }
  return <ActiveFilters filters={useFilters(withRange)} fields={fields} />
}

function ReplacingFilter() {
  const filters = useFilters(single, { replace: true })
  return (
    <button type="button" onClick={() => filters.set({ keyword: 'x' })}>
      set
    </button>
  )
}
