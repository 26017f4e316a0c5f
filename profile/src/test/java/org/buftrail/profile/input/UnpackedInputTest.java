package org.buftrail.profile.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UnpackedInputTest {
  private static final int MEBIBYTE = 1 << 20;
  private @TempDir Path directory;

  private Path packed(String name, byte[] start, int mebibytes, byte filler) throws IOException {
    Path file = directory.resolve(name);
    byte[] block = new byte[MEBIBYTE];
    Arrays.fill(block, filler);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(start);
      for (int i = 0; i < mebibytes; i++) {
        out.write(block);
      }
    }
    return file;
  }

  @Test
  void whatIsPackedAsNoProfileIsIsNamedBeforeItFillsTheMemory() throws IOException {
    byte[] line = "a;b 1\n".getBytes(StandardCharsets.US_ASCII);
    Path text = packed("bomb.collapsed.gz", line, 70, (byte) 'x');
    assertThatThrownBy(() -> ProfileForm.COLLAPSED.read(text))
        .isInstanceOf(IOException.class)
        .hasMessageMatching(".*bomb.collapsed.gz: is packed as no profile is: 167\\d{5} bytes.*");
    // A sample type, then a string of 80 MiB.
    byte[] start = {0x0A, 4, 8, 1, 16, 2, 0x32, (byte) 0x80, (byte) 0x80, (byte) 0x80, 0x28};
    Path pprof = packed("bomb.pb.gz", start, 80, (byte) 0);
    assertThatThrownBy(() -> ProfileForm.PPROF.read(pprof))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("bomb.pb.gz: is packed as no profile is: ");
  }

  @Test
  void aLongStackThatIsRepeatedIsRead() throws IOException {
    Path file = directory.resolve("a.collapsed.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      for (int i = 0; i < 20_000; i++) {
        String line = "org.example.Main.main;org.example.Service.call" + i % 100 + " 1\n";
        out.write(line.getBytes(StandardCharsets.US_ASCII));
      }
    }
    assertThat(ProfileForm.COLLAPSED.read(file).profiles().get(0).profiles().get(0).total())
        .isEqualTo(20_000);
  }
}
