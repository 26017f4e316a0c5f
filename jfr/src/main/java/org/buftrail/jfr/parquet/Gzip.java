package org.buftrail.jfr.parquet;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Packs pages as gzip does, with one compressor for all, and unpacks them. */
final class Gzip implements AutoCloseable {
  private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

  /** The sum and the length. */
  private static final int TRAILER = 8;

  /** No page unpacks to more bytes for each of its own. */
  private static final int MOST_PACKED = 1_032;

  private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
  private final Inflater inflater = new Inflater(true);
  private final byte[] buffer = new byte[1 << 14];

  byte[] pack(byte[] plain) {
    PageBytes out = new PageBytes(plain.length / 2 + HEADER.length + TRAILER);
    out.put(HEADER);
    deflater.reset();
    deflater.setInput(plain);
    deflater.finish();
    while (!deflater.finished()) {
      out.put(buffer, deflater.deflate(buffer));
    }
    out.putInt(ParquetFile.sum(plain, 0, plain.length));
    out.putInt(plain.length);
    return out.toByteArray();
  }

  /** Unpacks what {@link #pack} made of so many bytes. */
  byte[] unpack(byte[] packed, int size) throws DamagedParquetException {
    int length = packed.length - HEADER.length - TRAILER;
    if (length < 0
        || size < 0
        || size / MOST_PACKED > length
        || !Arrays.equals(packed, 0, HEADER.length, HEADER, 0, HEADER.length)) {
      throw new DamagedParquetException("a page is not packed as it should be");
    }
    PageInput trailer = new PageInput(packed, packed.length - TRAILER, packed.length);
    int sum = trailer.int4();
    // Before room is made for as many.
    if (trailer.int4() != size) {
      throw new DamagedParquetException("a page has another length than it should have");
    }
    byte[] plain = new byte[size];
    try {
      inflater.reset();
      inflater.setInput(packed, HEADER.length, length);
      int done = 0;
      while (done < size) {
        int count = inflater.inflate(plain, done, size - done);
        if (count == 0) {
          throw new DamagedParquetException("a page is too short");
        }
        done += count;
      }
    } catch (DataFormatException e) {
      throw new DamagedParquetException("a page cannot be unpacked");
    }
    if (sum != ParquetFile.sum(plain, 0, size)) {
      throw new DamagedParquetException("a page has another sum than it should have");
    }
    return plain;
  }

  @Override
  public void close() {
    deflater.end();
    inflater.end();
  }
}
