package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;

/** Packs recordings, and converts what is packed. */
final class PackedInputs {
  private PackedInputs() {}

  interface Reader {
    void run() throws IOException;
  }

  static long samples(Path... inputs) throws IOException {
    Conversion conversion =
        new Converter(Options.DEFAULT).convert(Recording.matching(List.of(inputs)));
    assertThat(conversion.damages()).isEmpty();
    return conversion.profiles().profiles().get(0).total();
  }

  static OutputStream pack(String format, OutputStream target) throws IOException {
    return switch (format) {
      case "gz" -> new GZIPOutputStream(target);
      case "zst" -> new ZstdOutputStream(target);
      // As the command does.
      default ->
          new LZ4FrameOutputStream(
              target,
              LZ4FrameOutputStream.BLOCKSIZE.SIZE_4MB,
              LZ4FrameOutputStream.FLG.Bits.BLOCK_INDEPENDENCE,
              LZ4FrameOutputStream.FLG.Bits.CONTENT_CHECKSUM);
    };
  }

  static List<String> damages(Conversion conversion, Path file) {
    assertThat(conversion.isPartial()).isTrue();
    return conversion.damages().stream()
        .map(Damage::toString)
        .filter(damage -> damage.startsWith(file + ": ") && !damage.contains(": chunk "))
        .map(damage -> damage.substring(file.toString().length() + 2))
        .toList();
  }

  static void throughStandardInput(byte[] bytes, Reader reader) throws IOException {
    InputStream before = System.in;
    try {
      System.setIn(new ByteArrayInputStream(bytes));
      reader.run();
    } finally {
      System.setIn(before);
    }
  }
}
