import type { ErrorCode } from '@tidegate/contract/api'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, errorText, isUnproved } from '../../../api/errors.ts'
import { Alert, Form, Modal } from '../../../ui/kit/index.ts'
import styles from './security.module.css'

interface Props<Values> {
  title: string
  open: boolean
  onClose(): void
  initialValues?: Partial<Values>
  /** The dialog shows the errors of the promise. */
  onSubmit(values: Values): Promise<unknown>
  submitText: string
  danger?: boolean
  width?: number
  /** Fields that error codes are about. */
  errors?: Partial<Record<ErrorCode, keyof Values & string>>
  /** Replaces the default error texts. */
  errorTextOf?: (error: unknown) => string
  children: ReactNode
}

/** A short form. Enter submits, Escape closes, the first field gets the focus. */
export function FormDialog<Values extends object>({ open, onClose, title, ...rest }: Props<Values>) {
  const { t } = useTranslation()
  const [form] = Form.useForm<Values>()
  const [busy, setBusy] = useState(false)
  return (
    <Modal
      title={title}
      open={open}
      onCancel={() => busy || onClose()}
      onOk={form.submit}
      okText={rest.submitText}
      okButtonProps={{ danger: rest.danger ?? false }}
      cancelText={t('cancel')}
      confirmLoading={busy}
      closable={{ 'aria-label': t('close') }}
      width={rest.width ?? 440}
      destroyOnHidden
      afterOpenChange={(isOpen) => isOpen && focusFirstField()}
    >
      <Fields<Values> form={form} onBusy={setBusy} {...rest} />
    </Modal>
  )
}

/** Prefix of field IDs, which must differ from those of the page. */
const FORM_NAME = 'security-dialog'

/** Called after the dialog has opened, because the dialog takes the focus while it opens. */
function focusFirstField(): void {
  document.querySelector<HTMLInputElement>(`#${FORM_NAME} input:not([readonly], [hidden])`)?.focus()
}

type FieldsProps<Values> = Omit<Props<Values>, 'open' | 'onClose' | 'title' | 'danger' | 'submitText' | 'width'> & {
  form: ReturnType<typeof Form.useForm<Values>>[0]
  onBusy(busy: boolean): void
}

function Fields<Values extends object>({
  form,
  initialValues,
  onSubmit,
  onBusy,
  errors,
  errorTextOf = errorText,
  children,
}: FieldsProps<Values>) {
  const [problem, setProblem] = useState('')
  const submit = async (values: Values) => {
    setProblem('')
    onBusy(true)
    try {
      await onSubmit(values)
    } catch (error) {
      if (isUnproved(error)) return
      const field = error instanceof ApiError ? errors?.[error.code as ErrorCode] : undefined
      if (field === undefined) return setProblem(errorTextOf(error))
      form.setFields([{ name: field as never, errors: [errorTextOf(error)] }])
      form.scrollToField(field, { focus: true })
    } finally {
      onBusy(false)
    }
  }
  return (
    <Form<Values>
      name={FORM_NAME}
      form={form}
      layout="vertical"
      requiredMark={false}
      preserve={false}
      onFinish={(values) => void submit(values)}
      {...(initialValues && { initialValues })}
      scrollToFirstError={{ focus: true, block: 'center' }}
    >
      {problem && <Alert className={styles.error} type="error" showIcon title={problem} />}
      {children}
      {/* Enter needs a submit button inside the form; the visible buttons are outside. */}
      <button type="submit" hidden aria-hidden tabIndex={-1} />
    </Form>
  )
}
