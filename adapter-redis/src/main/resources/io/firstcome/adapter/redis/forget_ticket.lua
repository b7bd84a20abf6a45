-- Removes a user from the waiting room of a coupon.
--
-- KEYS  1 fence  2 stock  3 tickets  4 prefix of the queue
-- ARGV  1 epoch  2 user id
-- reply {'FENCED'}: nothing happened; {'OK'}

if not takes_calls(KEYS[1], ARGV[1], redis.call('HGET', KEYS[2], 'ready')) then
  return FENCED
end
forget_ticket(KEYS[3], KEYS[4], ARGV[2])
return { 'OK' }
