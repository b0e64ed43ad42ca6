import { transferEarnings } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { MoneyInput } from '../../../components/money-input.tsx'
import { formatBalance } from '../../../lib/format.ts'
import { serverLanguage } from '../../../lib/i18n.ts'
import { toast } from '../../../lib/toast.ts'
import { Button, Form, Modal, Space } from '../../../ui/kit/index.ts'
import styles from '../account.module.css'
import { useTransferEarnings } from '../api.ts'

interface Props {
  earnings: number
  /** The smallest transfer, in quota. */
  minimum: number
  open: boolean
  onClose(): void
}

interface Values {
  quota: number | null
}

/** Transfers earnings to the balance. */
export function TransferDialog({ earnings, minimum, open, onClose }: Props) {
  const { t } = useTranslation('me')
  const { t: common } = useTranslation()
  const [form] = Form.useForm<Values>()
  const transfer = useTransferEarnings()
  const close = () => !transfer.isPending && onClose()
  const submit = ({ quota }: Values) => {
    if (transfer.isPending) return
    transfer.mutate(quota!, {
      onSuccess() {
        toast.success(transferEarnings.done![serverLanguage()])
        onClose()
      },
    })
  }
  const fillAll = () => {
    form.setFields([{ name: 'quota', value: earnings, errors: [] }])
    form.scrollToField('quota', { focus: true }) // so that Enter submits
  }
  const check = (_: unknown, quota: number | null) => {
    if (typeof quota !== 'number' || quota < minimum)
      return Promise.reject(new Error(t('invite.errors.least', { least: formatBalance(minimum) })))
    return quota > earnings ? Promise.reject(new Error(t('invite.errors.most'))) : Promise.resolve()
  }
  return (
    <Modal
      title={t('invite.transferTitle')}
      open={open}
      onCancel={close}
      onOk={form.submit}
      okText={t('invite.transfer')}
      cancelText={common('cancel')}
      confirmLoading={transfer.isPending}
      destroyOnHidden
      width={440}
    >
      <p>{t('invite.available', { amount: formatBalance(earnings) })}</p>
      <Form<Values>
        form={form}
        layout="vertical"
        requiredMark={false}
        preserve={false}
        initialValues={{ quota: minimum }}
        onFinish={submit}
        scrollToFirstError={{ focus: true }}
      >
        <Form.Item label={t('invite.amount')} htmlFor="transfer-quota">
          <Space.Compact block>
            <Form.Item<Values> name="quota" noStyle rules={[{ validator: check }]}>
              <MoneyInput id="transfer-quota" className={styles.wide} />
            </Form.Item>
            <Button onClick={fillAll}>{t('invite.all')}</Button>
          </Space.Compact>
        </Form.Item>
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </Form>
    </Modal>
  )
}
