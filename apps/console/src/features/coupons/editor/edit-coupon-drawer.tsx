import { REDEMPTION_STATUS } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CallError } from '../../../lib/call-error.ts'
import { toast } from '../../../lib/toast.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { Alert, Form, Skeleton } from '../../../ui/kit/index.ts'
import { useOpenings } from '../../../ui/use-openings.ts'
import { titleOf } from '../coupon-words.ts'
import styles from '../coupons.module.css'
import { useUpdateCoupon } from '../mutations.ts'
import { couponQuery } from '../queries.ts'
import { editOf, valuesOf, type CouponValues } from './coupon-values.ts'
import { GiftFields } from './gift-fields.tsx'
import { NameField } from './name-field.tsx'
import { QuotaField } from './quota-field.tsx'
import { tellRefusal } from './tell-refusal.ts'
import { WindowFields } from './window-fields.tsx'

interface Props {
  open: boolean
  id: number
  onClose(): void
}

/** Edits a code as it is stored now. */
export default function EditCouponDrawer(props: Props) {
  const opening = useOpenings(props.open, props.id)
  return <EditCouponForm key={opening} opening={opening} {...props} />
}

function EditCouponForm({ open, id, onClose, opening }: Props & { opening: number }) {
  const { t } = useTranslation('coupons')
  const { t: common } = useTranslation()
  const [form] = Form.useForm<CouponValues>()
  const stored = useQuery({ ...couponQuery(id, opening), enabled: open })
  const update = useUpdateCoupon()
  const coupon = stored.data
  const isEditable = coupon?.status === REDEMPTION_STATUS.unused
  const isFixed = (coupon?.used_count ?? 0) > 0
  const save = (values: CouponValues) => {
    if (!coupon) return
    update.mutate(editOf(coupon, values), {
      onSuccess: () => {
        toast.success(t('form.saved'))
        onClose()
      },
      onError: (error) => tellRefusal(form, error),
    })
  }
  return (
    <FormDrawer<CouponValues>
      title={coupon ? t('form.editTitle', { name: titleOf(coupon) }) : t('form.editTitleLoading')}
      open={open}
      onClose={onClose}
      form={form}
      initialValues={coupon ? valuesOf(coupon) : {}}
      submitText={common('save')}
      submitting={update.isPending}
      onSubmit={save}
      {...(!isEditable && { placeholder: waiting() })}
    >
      {isFixed && <Alert className={styles.notice} type="info" showIcon title={t('form.inUse')} />}
      <NameField />
      <QuotaField disabled={isFixed} />
      <GiftFields disabled={isFixed} />
      <WindowFields />
    </FormDrawer>
  )

  function waiting() {
    if (coupon) return <EmptyState title={t('form.notEditable')} hint={t('form.notEditableHint')} />
    if (!stored.error) return <Skeleton active paragraph={{ rows: 8 }} />
    const isGone = stored.error instanceof CallError && stored.error.code === 'redemption_not_found'
    return (
      <ErrorState
        title={isGone ? t('form.notFound') : common('errors.loadFailed')}
        error={stored.error}
        retrying={stored.isFetching}
        onRetry={stored.refetch}
      />
    )
  }
}
