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
  /** A submission while the previous one is pending; ignored without it. */
  onRepeat?(): void
  /** Fields that are wrong, before the first of them gets the focus: the place to unfold it. */
  onInvalid?: FormProps<Values>['onFinishFailed']
  submitting: boolean
  submitText: string
  placement?: 'left' | 'right'
  onValuesChange?: FormProps<Values>['onValuesChange']
  /** Stands in place of the form while there is nothing to edit yet. */
  placeholder?: ReactNode
  children: ReactNode
}

/** Edits one thing beside the list. Leaving with changes asks first; Enter submits; the first error gets the focus. */
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
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- a form gives its first field the focus; the drawer would take it
      autoFocus={isWaiting}
      footer={
        <div className={styles.actions}>
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
          // Enter still reaches the form while the button waits.
          onFinish={(values) => (submitting ? onRepeat?.() : onSubmit(values))}
          scrollToFirstError={{ focus: true, block: 'center' }}
          {...(onInvalid ? { onFinishFailed: onInvalid } : {})}
          {...(onValuesChange ? { onValuesChange } : {})}
        >
          {children}
          {/* The buttons are outside the form; without a submit button inside, Enter would do nothing. */}
          <button type="submit" hidden aria-hidden tabIndex={-1} />
        </Form>
      )}
    </SideDrawer>
  )
}
