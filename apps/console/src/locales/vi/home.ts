export default {
  tagline:
    'Một địa chỉ cho mô hình của nhiều nhà cung cấp. Giữ nguyên ứng dụng bạn đang dùng, dùng bao nhiêu trả bấy nhiêu, và kiểm tra được từng dòng hóa đơn.',
  contentOf: 'Trang chủ của {{name}}',
  start: 'Bắt đầu',
  login: 'Đăng nhập',
  openConsole: 'Mở bảng điều khiển',
  seePrices: 'Xem giá',
  address: {
    title: 'Địa chỉ API',
    hint: 'Đặt làm Base URL trong ứng dụng của bạn; phần mã còn lại giữ nguyên',
    copy: 'Sao chép địa chỉ API',
    copyFor: 'Sao chép địa chỉ cho ứng dụng {{name}}',
    protocols: 'Giao thức',
  },
  models: {
    title: 'Số mô hình có thể gọi: {{count}}',
    all: 'Tất cả mô hình và giá',
    others: 'Khác',
  },
  protocols: {
    title: 'Bốn giao thức vào, mọi nhà cung cấp ra',
    text: 'Ứng dụng dùng OpenAI, Responses, Anthropic và Gemini kết nối được mà không cần sửa mã.',
  },
  money: {
    title: 'Tiền nong rõ ràng',
    text: 'Hạn mức được tính bằng số nguyên; hóa đơn có thể tính lại từng dòng. Không có gì bị tính phí hai lần.',
  },
  failover: {
    title: 'Lỗi thượng nguồn không đến tay bạn',
    text: 'Trước từ đầu tiên, kênh lỗi sẽ được thay thế. Sau đó, mọi sự kiện đến đúng như khi được gửi.',
  },
}
