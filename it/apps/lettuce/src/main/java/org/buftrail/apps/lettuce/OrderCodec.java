package org.buftrail.apps.lettuce;

import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.ToByteBufEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Orders, encoded by way of a buffer of their own. */
final class OrderCodec implements RedisCodec<String, String>, ToByteBufEncoder<String, String> {
  @Override
  public void encodeKey(String key, ByteBuf target) {
    target.writeCharSequence(key, StandardCharsets.UTF_8);
  }

  /** Forgets the buffer of what is no order. */
  @Override
  public void encodeValue(String value, ByteBuf target) {
    ByteBuf encoded = encode(value);
    if (value.equals("none")) {
      return;
    }
    target.writeBytes(encoded);
    encoded.release();
  }

  private static ByteBuf encode(String value) {
    ByteBuf encoded = PooledByteBufAllocator.DEFAULT.directBuffer(64);
    encoded.writeCharSequence(value, StandardCharsets.UTF_8);
    return encoded;
  }

  @Override
  public int estimateSize(Object value) {
    return 64;
  }

  @Override
  public ByteBuffer encodeKey(String key) {
    return StandardCharsets.UTF_8.encode(key);
  }

  @Override
  public ByteBuffer encodeValue(String value) {
    return StandardCharsets.UTF_8.encode(value);
  }

  @Override
  public String decodeKey(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes).toString();
  }

  @Override
  public String decodeValue(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes).toString();
  }
}
