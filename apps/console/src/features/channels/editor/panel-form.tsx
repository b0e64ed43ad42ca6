import { useEffect, useEffectEvent, type ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import type { FormDrawer } from '../../../ui/form/form-drawer.tsx'
import { UnsavedGuard } from '../../../ui/form/unsaved-guard.tsx'
import { Button, Form } from '../../../ui/kit/index.ts'
import styles from './editor.module.css'

type DrawerProps<Values extends object> = ComponentProps<typeof FormDrawer<Values>>

interface Props<Values extends object> extends Omit<DrawerProps<Values>, 'open' | 'title' | 'placement'> {
  /** Passes the panel a function that returns whether the form has unsaved changes. */
  onForm(hasChanges: () => boolean): void
}

/** A form inside a panel, like `FormDrawer` without the drawer. */
export function PanelForm<Values extends object>(props: Props<Values>) {
  const { form, onForm, submitting, placeholder, onSubmit, onRepeat, onInvalid, onValuesChange } = props
  const { t } = useTranslation()
  const isWaiting = placeholder !== undefined && placeholder !== null
  const hasChanges = () => !isWaiting && form.isFieldsTouched()
  const readChanges = useEffectEvent(hasChanges)
  const report = useEffectEvent(onForm)
  useEffect(() => {
    report(() => readChanges())
    return () => report(() => false)
  }, [])
  if (isWaiting) return placeholder
  return (
    <Form<Values>
      form={form}
      layout="vertical"
      requiredMark={false}
      preserve={false}
      initialValues={props.initialValues}
      onFinish={(values) => (submitting ? onRepeat?.() : onSubmit(values))}
      scrollToFirstError={{ focus: true, block: 'center' }}
      {...(onInvalid ? { onFinishFailed: onInvalid } : {})}
      {...(onValuesChange ? { onValuesChange } : {})}
    >
      <UnsavedGuard hasChanges={hasChanges} />
      {props.children}
      <div className={styles.panelFooter}>
        <Button onClick={() => form.resetFields()}>{t('reset')}</Button>
        <Button type="primary" htmlType="submit" loading={submitting}>
          {props.submitText}
        </Button>
      </div>
    </Form>
  )
}
