-- Creates the stock of a coupon that has no claims yet; no effect if the stock exists. A stock that was
-- removed in this epoch is not created again.
--
-- KEYS  1 fence  2 stock  3 removed coupons  4.. stocks of the other coupons of its campaign, if it belongs to one
-- ARGV  1 epoch  2 revision  3 status  4 total  5 opensAt, ms  6 closesAt, ms
--       7 coupon id
-- reply {'FENCED'}: nothing happened; {'OK'}

if not fence_is(KEYS[1], 'open', ARGV[1]) then
  return FENCED
end
if redis.call('SISMEMBER', KEYS[3], ARGV[7]) == 1 then
  return FENCED
end
if redis.call('EXISTS', KEYS[2]) == 0 then
  redis.call('HSET', KEYS[2], 'ready', ARGV[1], 'revision', ARGV[2], 'status', ARGV[3],
    'total', ARGV[4], 'next', 1, 'opensAt', ARGV[5], 'closesAt', ARGV[6])
  -- If users of another coupon were erased, claims of this one find them there by their pseudonyms only.
  for k = 4, #KEYS do
    if redis.call('HEXISTS', KEYS[k], 'erased') == 1 then
      redis.call('HSET', KEYS[2], 'erased', '1')
    end
  end
end
return { 'OK' }
