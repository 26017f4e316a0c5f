package org.buftrail.jfr.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files whose footer or pages are not as we write them. */
final class ParquetInputTest {
  private static final int ROWS = 1_000;
  private static final List<ParquetColumn> COLUMNS =
      List.of(
          new ParquetColumn("text", ParquetColumn.Type.TEXT),
          new ParquetColumn("number", ParquetColumn.Type.LONG),
          new ParquetColumn("map", ParquetColumn.Type.TEXTS));

  @TempDir private Path directory;
  private Path file;
  private List<PlacedColumn> placed;

  private static RowGroup rows() {
    RowGroup rows = new RowGroup(COLUMNS);
    for (int i = 0; i < ROWS; i++) {
      rows.text(0, "text " + i % 100);
      rows.number(1, i * 7L);
      rows.texts(2, Map.of("key", "value " + i % 10));
      rows.endRow();
    }
    return rows;
  }

  @BeforeEach
  void write() throws IOException {
    file = directory.resolve("x.parquet");
    try (ParquetFile out = new ParquetFile(Files.newOutputStream(file), COLUMNS, Map.of())) {
      out.write(rows());
    }
    try (ParquetInput in = new ParquetInput(file, COLUMNS)) {
      placed = in.columns(0);
    }
  }

  @Test
  void aCopyPacksForGoodWhatWasPackedQuickly() throws IOException {
    Path quick = directory.resolve("quick.parquet");
    try (ParquetFile out = new ParquetFile(Files.newOutputStream(quick), COLUMNS, Map.of())) {
      out.writeQuickly(rows());
    }
    assertThat(Files.size(quick)).isGreaterThan(Files.size(file));
    for (Path one : List.of(file, quick)) {
      ByteArrayOutputStream copy = new ByteArrayOutputStream();
      try (ParquetInput in = new ParquetInput(one, COLUMNS);
          ParquetFile out = new ParquetFile(copy, COLUMNS, Map.of())) {
        out.copy(in, 0);
      }
      assertThat(copy.toByteArray()).isEqualTo(Files.readAllBytes(file));
    }
  }

  /** Writes another footer to the same pages, then copies and reads them. */
  private void use(int leaf, PlacedColumn other) throws IOException {
    List<PlacedColumn> all = new ArrayList<>(placed);
    all.set(leaf, other);
    FileFooter footer = new FileFooter(COLUMNS, Map.of());
    footer.add(ROWS, all);
    byte[] bytes = footer.bytes();
    PageBytes end = new PageBytes(bytes.length + 8);
    end.put(bytes);
    end.putInt(bytes.length);
    end.put(ParquetFile.MAGIC);
    PlacedColumn last = placed.get(placed.size() - 1);
    byte[] pages = Arrays.copyOf(Files.readAllBytes(file), (int) (last.begin() + last.packed()));
    Path forged = Files.write(directory.resolve("forged.parquet"), pages);
    Files.write(forged, end.toByteArray(), StandardOpenOption.APPEND);
    try (ParquetInput in = new ParquetInput(forged, COLUMNS);
        ParquetFile out = new ParquetFile(new ByteArrayOutputStream(), COLUMNS, Map.of())) {
      out.copy(in, 0);
      in.read(0, null, new RowGroup(COLUMNS));
    }
  }

  private void refused(int leaf, PlacedColumn other) {
    assertThatThrownBy(() -> use(leaf, other)).isInstanceOf(DamagedParquetException.class);
  }

  private static PlacedColumn facts(PlacedColumn of, ColumnFacts facts) {
    return new PlacedColumn(
        facts, of.codec(), of.dictionaryAt(), of.dataAt(), of.plain(), of.packed());
  }

  private static ColumnFacts facts(
      List<String> path, int type, int count, int nulls, int encoding) {
    return new ColumnFacts(path, type, count, nulls, encoding, null, null);
  }

  @Test
  void theFooterIsNotTrusted() throws IOException {
    use(0, placed.get(0));
    for (int leaf = 0; leaf < placed.size(); leaf++) {
      PlacedColumn of = placed.get(leaf);
      ColumnFacts f = of.facts();
      refused(leaf, facts(of, facts(List.of("x"), f.type, f.count, f.nulls, f.encoding)));
      refused(leaf, facts(of, facts(f.path, 3 - f.type % 3, f.count, f.nulls, f.encoding)));
      refused(leaf, facts(of, facts(f.path, f.type, f.count + 1, f.nulls, f.encoding)));
      refused(leaf, facts(of, facts(f.path, f.type, 0, 0, f.encoding)));
      refused(leaf, facts(of, facts(f.path, f.type, f.count, f.nulls + 1, f.encoding)));
      int encoding = f.encoding == ColumnChunk.RLE_DICTIONARY ? ColumnChunk.PLAIN : 8;
      refused(leaf, facts(of, facts(f.path, f.type, f.count, f.nulls, encoding)));
      long at = of.dictionaryAt();
      long data = of.dataAt();
      refused(leaf, new PlacedColumn(f, 1, at, data, of.plain(), of.packed()));
      refused(leaf, new PlacedColumn(f, 2 - of.codec(), at, data, of.plain(), of.packed()));
      refused(leaf, new PlacedColumn(f, of.codec(), at, data + 1, of.plain(), of.packed()));
      refused(leaf, new PlacedColumn(f, of.codec(), at, data, of.plain() + 1, of.packed()));
      refused(
          leaf,
          new PlacedColumn(
              f, of.codec(), at == 0 ? data : 0, at == 0 ? data + 1 : at, of.plain(), of.packed()));
    }
  }

  @Test
  void noRoomIsMadeForWhatIsNotThere() throws IOException {
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      // A file with a hole takes no room on the disk.
      out.setLength(1L << 30);
      PageBytes end = new PageBytes(8);
      end.putInt(1 << 29);
      end.put(ParquetFile.MAGIC);
      out.seek((1L << 30) - 8);
      out.write(end.toByteArray());
    }
    assertThatThrownBy(() -> new ParquetInput(file, COLUMNS).close())
        .isInstanceOf(DamagedParquetException.class)
        .hasMessage("its footer is damaged");
    try (Gzip gzip = new Gzip()) {
      byte[] packed = gzip.pack(new byte[1 << 20]);
      assertThatThrownBy(() -> gzip.unpack(packed, 1_032 * (packed.length - 18)))
          .isInstanceOf(DamagedParquetException.class)
          .hasMessage("a page has another length than it should have");
    }
  }

  @Test
  void aPackedPageWithoutASumIsUnpacked() throws IOException {
    try (Gzip gzip = new Gzip()) {
      byte[] text = "what a page has".repeat(100).getBytes(StandardCharsets.US_ASCII);
      byte[] packed = gzip.pack(text);
      for (boolean isDamaged : List.of(false, true)) {
        packed[30] ^= (byte) (isDamaged ? 1 : 0);
        CompactThrift header = new CompactThrift();
        header.i32(1, ParquetFile.DATA_PAGE);
        header.i32(2, 1_500);
        header.i32(3, packed.length);
        header.begin(5);
        header.i32(1, 100);
        header.i32(2, ColumnChunk.PLAIN);
        header.end();
        PageBytes page = new PageBytes(64);
        page.put(header.finish());
        long plain = page.size() + 1_500L;
        page.put(packed);
        ColumnFacts facts = facts(List.of("x"), 1, 100, 0, ColumnChunk.PLAIN);
        PlacedColumn column = new PlacedColumn(facts, PlacedColumn.GZIP, 0, 4, plain, page.size());
        if (isDamaged) {
          assertThatThrownBy(() -> ColumnPages.check(page.toByteArray(), column, gzip))
              .isInstanceOf(DamagedParquetException.class);
        } else {
          ColumnPages.check(page.toByteArray(), column, gzip);
        }
      }
    }
  }
}
