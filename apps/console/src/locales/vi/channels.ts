import form from './channels/form.ts'
import list from './channels/list.ts'
import tag from './channels/tag.ts'
import test from './channels/test.ts'
import vendor from './channels/vendor.ts'

export default { ...list, form, tag, test, vendor }
