import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError } from '../../../lib/call-error.ts'
import { toast } from '../../../lib/toast.ts'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { Form } from '../../../ui/kit/index.ts'
import { useOpenings } from '../../../ui/use-openings.ts'
import { useCreateCoupons } from '../mutations.ts'
import { BLANK, newCoupons, type NewCouponValues } from './coupon-values.ts'
import { GiftFields } from './gift-fields.tsx'
import type { MadeCoupons } from './made-coupons.ts'
import { MakingFields } from './making-fields.tsx'
import { NameField } from './name-field.tsx'
import { QuotaField } from './quota-field.tsx'
import { tellRefusal } from './tell-refusal.ts'
import { WindowFields } from './window-fields.tsx'
import { WorthLine } from './worth-line.tsx'

interface Props {
  open: boolean
  onClose(): void
  onMade(made: MadeCoupons): void
}

export default function CreateCouponsDrawer(props: Props) {
  return <CreateCouponsForm key={useOpenings(props.open)} {...props} />
}

function CreateCouponsForm({ open, onClose, onMade }: Props) {
  const { t } = useTranslation('coupons')
  const [form] = Form.useForm<NewCouponValues>()
  const creation = useCreateCoupons()
  const isUnderWay = useRef(false)
  const create = (values: NewCouponValues) => {
    // Enter can be pressed again before the button shows that it waits, and codes are money.
    if (isUnderWay.current) return
    isUnderWay.current = true
    const body = newCoupons({ ...BLANK, ...values })
    creation.mutate(body, {
      onSuccess: (keys) => {
        onClose()
        onMade({ name: body.name, keys })
      },
      onError: (error) => {
        tellRefusal(form, error)
        // The codes may be there all the same; whoever tries again would make them twice.
        if (error instanceof CallError && isUnsure(error)) toast.info(t('form.unsure'))
      },
      onSettled: () => {
        isUnderWay.current = false
      },
    })
  }
  return (
    <FormDrawer<NewCouponValues>
      title={t('form.createTitle')}
      open={open}
      onClose={onClose}
      form={form}
      initialValues={BLANK}
      submitText={t('form.submit')}
      submitting={creation.isPending}
      onSubmit={create}
    >
      <NameField isNew />
      <QuotaField />
      <GiftFields />
      <WindowFields />
      <MakingFields />
      <WorthLine />
    </FormDrawer>
  )
}

/** No answer, or one from somewhere on the way. */
const isUnsure = ({ status }: CallError): boolean => status === 0 || status >= 500
