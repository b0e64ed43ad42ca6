import { fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderPart } from '../../../test/render-part.tsx'
import { Form } from '../../ui/kit/index.ts'
import { ThroughputFields } from './limit-fields.tsx'

const open = () =>
  renderPart(
    <Form initialValues={{ tokensPerMinute: 0, concurrency: 0 }}>
      <ThroughputFields />
    </Form>,
  )
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })

describe('throughput limits', () => {
  it('are 0 by default, with a hint that 0 means no limit', () => {
    open()

    expect(screen.getByLabelText<HTMLInputElement>('每分钟 token 数').value).toBe('0')
    expect(screen.getByLabelText<HTMLInputElement>('并发请求数').value).toBe('0')
    expect(screen.getAllByText(/0 表示不限制/)).toHaveLength(2)
  })

  it.each([
    ['每分钟 token 数', '-1', '1,000,000,000'],
    ['每分钟 token 数', '1000000001', '1,000,000,000'],
    ['并发请求数', '100001', '100,000'],
    ['并发请求数', '1.5', '100,000'],
    ['并发请求数', '', '100,000'],
  ])('reject %s of %j', async (label, value, max) => {
    open()

    type(label, value)

    expect(await screen.findByText(`请输入 0 到 ${max} 之间的整数`)).toBeTruthy()
  })
})
