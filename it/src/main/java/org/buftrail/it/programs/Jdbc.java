package org.buftrail.it.programs;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Works with connections of an embedded database: closes 3, leaks 2, holds 1. */
public final class Jdbc {
  private static final String URL = "jdbc:h2:mem:orders;DB_CLOSE_DELAY=-1";
  private static final List<Object> HELD = new ArrayList<>();

  private Jdbc() {}

  /** Runs the program. */
  public static void main(String[] args) throws SQLException, InterruptedException {
    HELD.add(connect());
    for (int i = 0; i < 3; i++) {
      try (Connection connection = connect()) {
        query(connection);
      }
    }
    Garbage leaked = new Garbage();
    for (int i = 0; i < 2; i++) {
      lose(leaked);
    }
    leaked.awaitCollection();
  }

  private static Connection connect() throws SQLException {
    return DriverManager.getConnection(URL);
  }

  private static void query(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("select 42")) {
      if (!result.next() || result.getInt(1) != 42) {
        throw new SQLException("not what was asked for");
      }
    }
  }

  private static void lose(Garbage leaked) throws SQLException {
    Connection connection = connect();
    query(connection);
    leaked.add(connection);
  }
}
