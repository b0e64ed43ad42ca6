import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { MoneyInput } from './money-input.tsx'

describe('the money input', () => {
  it('is empty after it was cleared', () => {
    const onChange = vi.fn()
    render(<MoneyInput value={500_000} onChange={onChange} />)

    fireEvent.change(screen.getByRole('spinbutton'), { target: { value: '' } })

    expect(onChange).toHaveBeenLastCalledWith(null)
  })

  it('reads grouped digits', () => {
    const onChange = vi.fn()
    render(<MoneyInput value={null} onChange={onChange} />)

    fireEvent.change(screen.getByRole('spinbutton'), { target: { value: '1,500.5' } })

    expect(onChange).toHaveBeenLastCalledWith(750_250_000)
  })
})
