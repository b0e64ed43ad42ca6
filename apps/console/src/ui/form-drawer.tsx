import { App, Button, Drawer, Form, type FormInstance, type FormProps } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsPhone } from '../lib/use-media.ts'
import styles from './form-drawer.module.css'

interface Props<Values> {
  title: string
  open: boolean
  onClose(): void
  form: FormInstance<Values>
  initialValues: Partial<Values>
  onSubmit(values: Values): void
  submitting: boolean
  submitText: string
  placement?: 'left' | 'right'
  width?: number
  onValuesChange?: FormProps<Values>['onValuesChange']
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
  submitting,
  submitText,
  placement = 'right',
  width = 480,
  onValuesChange,
  children,
}: Props<Values>) {
  const { t } = useTranslation()
  const { modal } = App.useApp()
  const isPhone = useIsPhone()
  const close = () => {
    if (submitting) return
    if (!form.isFieldsTouched()) return onClose()
    modal.confirm({
      title: t('discardTitle'),
      content: t('discardText'),
      okText: t('discard'),
      cancelText: t('keepEditing'),
      okButtonProps: { danger: true },
      onOk: onClose,
    })
  }
  return (
    <Drawer
      title={title}
      open={open}
      onClose={close}
      placement={placement}
      size={isPhone ? '100%' : width}
      destroyOnHidden
      closable={{ 'aria-label': t('close') }}
      footer={
        <div className={styles.actions}>
          <Button onClick={close}>{t('cancel')}</Button>
          <Button type="primary" loading={submitting} onClick={form.submit}>
            {submitText}
          </Button>
        </div>
      }
    >
      <Form<Values>
        form={form}
        layout="vertical"
        requiredMark={false}
        preserve={false}
        initialValues={initialValues}
        onFinish={onSubmit}
        scrollToFirstError={{ focus: true, block: 'center' }}
        {...(onValuesChange ? { onValuesChange } : {})}
      >
        {children}
        {/* The buttons are outside the form; without a submit button inside, Enter would do nothing. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </Form>
    </Drawer>
  )
}
