import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './form-drawer.module.css'
import { SideDrawer } from '../overlay/side-drawer.tsx'
import { Button, Form, type FormInstance, type FormProps } from '../kit/index.ts'
import { UnsavedGuard, useConfirmDiscard } from './unsaved-guard.tsx'

interface Props<Values> {
  title: string
  open: boolean
  onClose(): void
  form: FormInstance<Values>
  initialValues: Partial<Values>
  onSubmit(values: Values): void
  /** Called for a submission while the previous one is pending. Such submissions are ignored by default. */
  onRepeat?(): void
  /** Called with the invalid fields before the first one gets the focus, for example to expand its section. */
  onInvalid?: FormProps<Values>['onFinishFailed']
  submitting: boolean
  submitText: string
  /** At the start of the footer. */
  footerStart?: ReactNode
  placement?: 'left' | 'right'
  onValuesChange?: FormProps<Values>['onValuesChange']
  /** Replaces the form while the data loads. */
  placeholder?: ReactNode
  children: ReactNode
}

/** A drawer with a form. Asks before it discards changes, submits on Enter and focuses the first invalid field. */
export function FormDrawer<Values extends object>({
  title,
  open,
  onClose,
  form,
  initialValues,
  onSubmit,
  onRepeat,
  onInvalid,
  submitting,
  submitText,
  footerStart,
  placement = 'right',
  onValuesChange,
  placeholder,
  children,
}: Props<Values>) {
  const { t } = useTranslation()
  const confirmDiscard = useConfirmDiscard()
  const isWaiting = placeholder !== undefined && placeholder !== null
  const hasChanges = () => !isWaiting && form.isFieldsTouched()
  const close = () => {
    if (submitting) return
    if (hasChanges()) confirmDiscard({ onDiscard: onClose })
    else onClose()
  }
  return (
    <SideDrawer
      title={title}
      open={open}
      onClose={close}
      placement={placement}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form focuses its first field instead
      autoFocus={isWaiting}
      footer={
        <div className={styles.actions}>
          {footerStart && <span className={styles.start}>{footerStart}</span>}
          <Button onClick={close}>{t('cancel')}</Button>
          <Button type="primary" loading={submitting} disabled={isWaiting} onClick={form.submit}>
            {submitText}
          </Button>
        </div>
      }
    >
      {open && <UnsavedGuard hasChanges={hasChanges} />}
      {isWaiting ? (
        placeholder
      ) : (
        <Form<Values>
          form={form}
          layout="vertical"
          requiredMark={false}
          preserve={false}
          initialValues={initialValues}
          // The loading button does not prevent a submission by Enter.
          onFinish={(values) => (submitting ? onRepeat?.() : onSubmit(values))}
          scrollToFirstError={{ focus: true, block: 'center' }}
          {...(onInvalid ? { onFinishFailed: onInvalid } : {})}
          {...(onValuesChange ? { onValuesChange } : {})}
        >
          {children}
          {/* The visible buttons are outside the form. Enter needs a submit button inside it. */}
          <button type="submit" hidden aria-hidden tabIndex={-1} />
        </Form>
      )}
    </SideDrawer>
  )
}
