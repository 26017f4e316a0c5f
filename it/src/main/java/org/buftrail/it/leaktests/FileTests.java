package org.buftrail.it.leaktests;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

/** Files, where the option {@code resource} has them followed. */
public class FileTests {
  private static InputStream open() throws IOException {
    return new FileInputStream(System.getProperty("java.home") + "/release");
  }

  @Test
  void leakFile() throws IOException {
    open().read();
  }

  @Test
  void cleanFile() throws IOException {
    try (InputStream file = open()) {
      file.read();
    }
  }
}
