export default {
  title: 'Trò chuyện',
  loading: 'Đang mở trò chuyện',
  login: {
    title: 'Đăng nhập để trò chuyện',
    hint: 'Trò chuyện dùng token đang bật đầu tiên của bạn.',
    action: 'Đăng nhập',
  },
  noToken: {
    title: 'Không có token nào đang bật, hãy kiểm tra xem đã bật token chưa!',
    hint: 'Đang chuyển bạn tới danh sách token.',
    action: 'Tới danh sách token',
  },
  broken: 'Liên kết trò chuyện cấu hình sai, vui lòng liên hệ quản trị viên',
  brokenHint: 'Chưa đặt liên kết, hoặc liên kết không mở được.',
  loadFailed: 'Không mở được trò chuyện',
  outside: {
    title: 'Trò chuyện trong {{name}}',
    hint: 'Khóa và địa chỉ đã được điền sẵn.',
    action: 'Mở {{name}}',
  },
  newTab: 'Mở trong thẻ mới',
  newTabHint: 'Không thấy gì? Trang trò chuyện có thể không cho phép nhúng.',
  leaving: 'Đang chuyển tới {{name}}…',
}
