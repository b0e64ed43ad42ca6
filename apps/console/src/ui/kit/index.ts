/**
 * The components of Ant Design that the console uses. Only this folder imports `antd`. The build adds the styles of
 * each component to the scripts that use it (`vite/antd-styles.ts`).
 */
import 'antd/dist/reset.css'

export {
  Alert,
  App,
  AutoComplete,
  Badge,
  Button,
  Checkbox,
  ConfigProvider,
  DatePicker,
  Divider,
  Drawer,
  Dropdown,
  Form,
  Image,
  Input,
  InputNumber,
  Modal,
  Pagination,
  Popconfirm,
  Popover,
  Progress,
  QRCode,
  Radio,
  Segmented,
  Select,
  Slider,
  Space,
  Spin,
  Switch,
  Table,
  Tabs,
  Tooltip,
  Upload,
} from 'antd'
export type {
  AlertProps,
  ConfigProviderProps,
  FormInstance,
  FormProps,
  FormRule,
  GetRef,
  InputRef,
  MenuProps,
  RefSelectProps,
  TableProps,
} from 'antd'
