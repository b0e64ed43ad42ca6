import { fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { renderPart } from '../../../test/render-part.tsx'
import { FormDrawer } from './form-drawer.tsx'
import { Form, Input } from '../kit/index.ts'

interface Values {
  name: string
}

function WaitingDrawer({ onSubmit }: { onSubmit(values: Values): void }) {
  const [form] = Form.useForm<Values>()
  const [submitting, setSubmitting] = useState(true)
  return (
    <FormDrawer<Values>
      title="Tide"
      open
      onClose={() => {}}
      form={form}
      initialValues={{ name: '' }}
      onSubmit={onSubmit}
      submitting={submitting}
      submitText="Save"
    >
      <Form.Item<Values> name="name" label="Name">
        <Input />
      </Form.Item>
      <button type="button" onClick={() => setSubmitting(false)}>
        Answer
      </button>
    </FormDrawer>
  )
}

it('ignores submissions while a request is pending', async () => {
  const onSubmit = vi.fn()
  renderPart(<WaitingDrawer onSubmit={onSubmit} />)
  const field = await screen.findByLabelText('Name')
  const submitWith = (name: string) => {
    fireEvent.change(field, { target: { value: name } })
    fireEvent.submit(field.closest('form')!)
  }
  submitWith('too early')
  await waitFor(() => expect(field.closest('form')!.querySelector('.ant-form-item-has-success')).not.toBeNull())

  fireEvent.click(screen.getByRole('button', { name: 'Answer' }))
  submitWith('in time')

  await waitFor(() => expect(onSubmit).toHaveBeenCalledWith({ name: 'in time' }))
  expect(onSubmit).toHaveBeenCalledTimes(1)
})
