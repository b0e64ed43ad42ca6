import { act, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPart } from '../../../test/render-part.tsx'
import { DataTable } from './data-table.tsx'

const observed = new Set<Element>()
let report: IntersectionObserverCallback

class FakeIntersectionObserver {
  constructor(callback: IntersectionObserverCallback) {
    report = callback
  }
  observe(element: Element) {
    observed.add(element)
  }
  unobserve(element: Element) {
    observed.delete(element)
  }
}

function comesNear(element: Element) {
  const entry = { isIntersecting: true, target: element } as unknown as IntersectionObserverEntry
  act(() => report([entry], {} as IntersectionObserver))
}

function open(count: number) {
  renderPart(
    <DataTable
      label="Parts"
      rows={Array.from({ length: count }, (_, index) => ({ name: `part ${index + 1}` }))}
      rowKey={({ name }) => name}
      columns={[{ title: 'Name', dataIndex: 'name' }]}
      renderCard={({ name }) => name}
      refreshing={false}
      empty={null}
    />,
  )
}

const rows = () => screen.getAllByRole('row').filter((row) => row.matches('.ant-table-row'))

describe('DataTable', () => {
  beforeEach(() => {
    vi.stubGlobal('IntersectionObserver', FakeIntersectionObserver)
  })

  it('renders the cells of a distant row when the row comes near the viewport', () => {
    open(100)
    expect(rows()).toHaveLength(100)
    expect(screen.getByText('part 18')).toBeDefined()
    expect(screen.queryByText('part 90')).toBeNull()

    comesNear(rows()[89]!)

    expect(screen.getByText('part 90')).toBeDefined()
    expect(screen.queryByText('part 91')).toBeNull()
    expect(observed.has(rows()[89]!)).toBe(false)
  })

  it('renders all rows of a short list immediately', () => {
    open(50)

    expect(screen.getByText('part 50')).toBeDefined()
  })
})
