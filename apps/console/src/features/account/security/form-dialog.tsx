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
  /** Does it; a refusal is told here. */
  onSubmit(values: Values): Promise<unknown>
  submitText: string
  danger?: boolean
  width?: number
  /** Refusals that concern one field, and are told beside it. */
  refusals?: Partial<Record<ErrorCode, keyof Values & string>>
  /** Words for what went wrong, where the usual ones do not fit. */
  errorWords?: (error: unknown) => string
  children: ReactNode
}

/** Asks for a few things and does something with them. Enter submits, Escape leaves, the first field has the focus. */
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

/** Also begins the ids of the fields, which must not be those of a form on the page below. */
const FIELDS = 'security-dialog'

/** The dialog takes the focus while it opens; its first field gets it afterwards. */
function focusFirstField(): void {
  document.querySelector<HTMLInputElement>(`#${FIELDS} input:not([readonly], [hidden])`)?.focus()
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
  refusals,
  errorWords = errorText,
  children,
}: FieldsProps<Values>) {
  const [trouble, setTrouble] = useState('')
  const submit = async (values: Values) => {
    setTrouble('')
    onBusy(true)
    try {
      await onSubmit(values)
    } catch (error) {
      if (isUnproved(error)) return
      const field = error instanceof ApiError ? refusals?.[error.code as ErrorCode] : undefined
      if (field === undefined) return setTrouble(errorWords(error))
      form.setFields([{ name: field as never, errors: [errorWords(error)] }])
      form.scrollToField(field, { focus: true })
    } finally {
      onBusy(false)
    }
  }
  return (
    <Form<Values>
      name={FIELDS}
      form={form}
      layout="vertical"
      requiredMark={false}
      preserve={false}
      onFinish={(values) => void submit(values)}
      {...(initialValues && { initialValues })}
      scrollToFirstError={{ focus: true, block: 'center' }}
    >
      {trouble && <Alert className={styles.trouble} type="error" showIcon title={trouble} />}
      {children}
      {/* The buttons are outside the form; without a submit button inside, Enter would do nothing. */}
      <button type="submit" hidden aria-hidden tabIndex={-1} />
    </Form>
  )
}
