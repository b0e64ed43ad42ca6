export default {
  label: 'Xác minh con người',
  loading: 'Đang tải bước xác minh con người…',
  failed: 'Không tải được bước xác minh con người. Hãy kiểm tra kết nối rồi thử lại.',
  retry: 'Thử lại',
  waiting: 'Vui lòng thử lại sau vài giây, Turnstile đang kiểm tra môi trường người dùng',
}
